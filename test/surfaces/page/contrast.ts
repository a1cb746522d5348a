/** Finds texts with low contrast: runs in the page, so it refers to nothing outside itself. */

/** Returns every visible text whose contrast with its background is below a ratio, with that ratio. */
export function contrastsBelow(least: number): readonly string[] {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('no canvas');
  pen.canvas.width = 1;
  pen.canvas.height = 1;
  type Colour = readonly [number, number, number, number];
  const read = (text: string): Colour => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = ([r, g, b]: Colour): number => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((each) => {
      const part = each / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element: Element | null): Colour => {
    if (element === null) return [255, 255, 255, 1];
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    if (element === null || text === '' || element.closest('script, style, option') !== null) continue;
    if (!element.checkVisibility() || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const ink = read(style.color);
    // The signs in slots are decoration: the card's note has their meaning as text.
    if (ink[3] === 0) continue;
    const paper = behind(element);
    const [a, b] = [light(over(ink, paper)), light(paper)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) found.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 40)}`);
  }
  return found;
}
