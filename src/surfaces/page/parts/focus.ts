/** Where the focus is, and what is scrolled into view beside the stage. */

/** Whether the reader is at the notes, or nowhere: then the focus may follow what is new. */
export function isReading(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.closest('.side') !== null;
}

/** Scrolls the notes, but not the page, because that would scroll the stage out of view: a new note is read from its top. */
export function show(element: HTMLElement): void {
  const panel = element.closest('.panel');
  if (panel === null || panel.scrollHeight <= panel.clientHeight) return;
  // After the way on below it has its new height.
  requestAnimationFrame(() => {
    const [box, around] = [element.getBoundingClientRect(), panel.getBoundingClientRect()];
    const below = panel.querySelector('.way-on')?.getBoundingClientRect().height ?? 0;
    const room = around.height - below;
    panel.scrollTop += box.height < room ? Math.max(0, box.bottom - (around.bottom - below)) : box.top - around.top;
    if (box.top < around.top) panel.scrollTop += box.top - around.top;
  });
}
