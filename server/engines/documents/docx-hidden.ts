interface Open {
  name: string;
  at: number;
  isHidden: boolean;
}

const TAGS = /<(\/?)w:(p|r|pPr|rPr|vanish|pStyle|rStyle)(?=[\s/>])([^<>]*?)(\/?)>/g;

/**
 * Removes the text that Word does not show from a part of a document: runs that are hidden themselves
 * (`w:vanish`), by their style, or by the style of their paragraph.
 * @param hidden ids of the hiding styles, from `hidingStyles`
 */
export function withoutHidden(xml: string, hidden: ReadonlySet<string>): string {
  if (hidden.size === 0 && !xml.includes('<w:vanish')) return xml;
  const open: Open[] = [];
  let out = '';
  let done = 0;
  for (const { 0: tag, 1: slash, 2: name = '', 3: attributes = '', 4: alone, index } of xml.matchAll(TAGS)) {
    const end = index + tag.length;
    if (name === 'vanish' || name.endsWith('Style')) {
      if (slash) continue;
      const isHidden = name === 'vanish' ? !isOff(attributes) : hidden.has(valueIn(attributes) ?? '');
      // The properties of a paragraph's mark hide only the mark.
      const [above, properties] = open.slice(-2);
      const owner = name === 'pStyle' ? 'pPr' : 'rPr';
      if (isHidden && above && properties?.name === owner && owner.startsWith(above.name))
        above.isHidden = true;
    } else if (slash) {
      const from = open.findLastIndex((each) => each.name === name);
      const [closed] = from < 0 ? [] : open.splice(from);
      const isHidden = closed?.isHidden || open.some((each) => each.name === 'p' && each.isHidden);
      if (closed && name === 'r' && isHidden && closed.at >= done) {
        out += xml.slice(done, closed.at);
        done = end;
      }
    } else if (!alone) open.push({ name, at: index, isHidden: false });
  }
  return out + xml.slice(done);
}

/** @param styles `word/styles.xml` @returns the ids of styles that hide text */
export function hidingStyles(styles: string): ReadonlySet<string> {
  return new Set(
    styles.split('</w:style>').flatMap((part) => {
      const style = part.slice(Math.max(0, part.lastIndexOf('<w:style ')));
      const id = /^<w:style [^<>]*?w:styleId="([^"<>]*)"/.exec(style)?.[1];
      const vanish = /<w:vanish(?=[\s/>])([^<>]*)>/.exec(style);
      return id !== undefined && vanish && !isOff(vanish[1] ?? '') ? [id] : [];
    }),
  );
}

const valueIn = (attributes: string) => /w:val="([^"]*)"/.exec(attributes)?.[1];
const isOff = (attributes: string) => /^(?:0|false|off)$/.test(valueIn(attributes) ?? '');
