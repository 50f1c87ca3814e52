const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Removes visual formatting: markdown, HTML, emoji, invisible characters. */
export function withoutMarkup(text: string): string {
  return inOneLine(withoutEmoji(withoutHtml(withoutMarkdown(plainUnicode(text)))));
}

/** Normalises characters: full-width digits, ligatures and typographic quotes; removes invisible ones. */
function plainUnicode(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[™®©℠]/gu, '')
    .replace(/\b(mm|cm|km|m|ft|yd)²/g, 'sq $1')
    .replace(/(?<=\d ?)(mm|cm|km|m|ft|yd)²/g, ' sq $1')
    .replace(/(?<=\d ?|\/ ?|\bper )(m|ft)2\b/g, ' sq $1')
    .replace(/\b(cm|m|ft|yd)³/g, 'cu $1')
    .replace(/(?<=\d ?)(cm|m|ft|yd)³/g, ' cu $1')
    .replace(/(?<=\p{L}|[%)*]|[$£€] ?[\d.,]{1,15})[¹²³⁰⁴-⁹]+/gu, '')
    .replace(/(?<=\d)[¹²³⁰⁴-⁹]+/gu, ' $&')
    .replace(/(?<=\d)[\u2009\u202f](?=\d{3}(?!\d))/g, ',')
    .replace(/(\d)([\u00bc-\u00be\u2150-\u215e])/g, '$1 $2')
    .normalize('NFKC')
    .replace(/\u2044/g, '/')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\p{Zs}\t]/gu, ' ')
    .replace(/(?!\n)[\p{Cc}\p{Co}\p{Cn}]/gu, ' ')
    .replace(/[‘’‛ʼ′`´]/g, "'")
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‐‑]/g, '-')
    .replace(/−(?=\d)/g, '-')
    .normalize('NFC');
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^\][]{0,500})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/\[\^?\d{1,3}\]/g, '')
    .replace(/^ {0,3}(?:[-*_] ?){3,}$/gm, '')
    .replace(/^ {0,3}#{1,6} +(.*)/gm, '\n$1\n')
    .replace(/^[ >]+(?=\S)/gm, '')
    .replace(/^[-*+•◦▪●‣·] +(?:\[[ xX]\] +)?/gm, '\n')
    .replace(/^\|? *:?-{3,}:?(?: *\| *:?-{3,}:?)* *\|?$/gm, '')
    .replace(/^\|(.*)\|$/gm, (_, cells: string) => cells.trim())
    .replace(/(\*{1,3}|_{1,3}|~~)(?=\S)([^*_~\n]{1,500}?)(?<=\S)\1(?!\w)/g, '$2');
}

function withoutHtml(text: string): string {
  return text
    .replace(/<br ?\/?>/gi, '\n')
    .replace(/<\/?[a-z][a-z0-9]{0,15}(?: [^<>]{0,500})?\/?>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function withoutEmoji(text: string): string {
  return text
    .replace(/[#*\d]\ufe0f?\u20e3/gu, '')
    .replace(
      /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u{e0020}-\u{e007f}]/gu,
      ' ',
    )
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .replace(/(?<![\w)])(?:[:;]['-]?[)(DPpO/\\|]|=[)(D])(?![\w/])/g, ' ')
    .replace(/<3/g, ' ');
}

/**
 * A line without a closing mark ends a sentence, as headings and list items do, unless the next line
 * continues in lower case.
 */
function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const says = (line: string | undefined) => line !== undefined && /[\p{L}\p{N}]/u.test(line);
  const last = lines.findLastIndex(says);
  return lines
    .map((line, index) => {
      const isWhole = index === last || /[.!?:;,…]["')\]]*$/.test(line);
      return !says(line) ? '' : isWhole || /^\p{Ll}/u.test(lines[index + 1] ?? '') ? line : `${line}.`;
    })
    .filter(Boolean)
    .join(' ');
}
