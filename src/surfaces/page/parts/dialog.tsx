/** A native dialog: the page behind it is inert until it is closed, and the focus returns. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Props {
  /** The accessible name; default: the title. */
  readonly name?: string;
  readonly title: string;
  close(): void;
  readonly children: ComponentChildren;
}

export function Dialog({ name, title, close, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = element;
    const before = document.activeElement;
    // A field in it that already has the focus keeps it.
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={name ?? title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target }) => {
        // A click outside of the content hits the backdrop.
        if (target === element.current) close();
      }}
    >
      <div>
        <h2>
          <span>{title}</span>
          <button class="button" aria-label="Close" onClick={close}>
            <Icon of="close" />
          </button>
        </h2>
        {children}
      </div>
    </dialog>
  );
}
