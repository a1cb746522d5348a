/** An owner that keeps one child up to date. */
import { create, defineController, idle, update, write } from '../../../../src/index.ts';
import { configMap, dataOf, isDeleting, ownedBy, resources, specOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const ownerChild = defineCorrect({
  name: 'owner-child',
  idiom: 'The child has a fixed name and an owner reference; it is compared, and changed by an update with its revision.',
  kinds: resources('App'),
  stories: livesOf({
    kind: 'App',
    spec: '{ text: one }',
    changed: '{ text: two }',
    present: "object('ConfigMap/x').data.text == 'one'",
    afterwards: "object('ConfigMap/x').data.text == 'two'",
    gone: "!objects('ConfigMap').exists(c, c.metadata.name == 'x')",
  }),
  controllers: () => [
    defineController({
      name: 'app',
      reconciles: 'App',
      writes: ['ConfigMap'],
      watches: [watchOwned('ConfigMap', 'App')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const { name, namespace, uid } = self.metadata;
        const data = { text: specOf<{ text: string }>(self).text ?? '' };
        const child = cache.get('ConfigMap', namespace, name);
        if (child === undefined) return write('the child is missing', stillThere(self), create(configMap(ownedBy(self, { name }), data)));
        if (child.metadata.ownerReferences?.[0]?.uid !== uid) return idle('the child of the namesake goes first');
        if (dataOf(child)['text'] === data.text) return idle('the child is right');
        const changed = update(child, (draft) => {
          draft.data = data;
        });
        return write('the child differs', changed);
      },
    }),
  ],
});
