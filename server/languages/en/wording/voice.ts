import type { Persona, Voice } from '../../wording.ts';

/** The wording whose turn it is. */
export function pick(voice: Voice, wordings: readonly string[]): string {
  const text = wordings[voice.turn % wordings.length] ?? '';
  return voice.persona.contractions ? text : spelledOut(text);
}

function spelledOut(text: string): string {
  return text
    .replace(/\bI'm\b/g, 'I am')
    .replace(/\bI'd\b/g, 'I would')
    .replace(/\bI've\b/g, 'I have')
    .replace(/\bI'll\b/g, 'I will')
    .replace(/\b([Yy])ou're\b/g, '$1ou are')
    .replace(/\b([Tt])hat's\b/g, '$1hat is')
    .replace(/\b([Ii])t's\b/g, '$1t is')
    .replace(/\b([Ww])e're\b/g, '$1e are')
    .replace(/\b([Dd])on't\b/g, '$1o not')
    .replace(/\b([Cc])an't\b/g, '$1annot')
    .replace(/\b([Ii])sn't\b/g, '$1s not')
    .replace(/\b([Ww])hat's\b/g, '$1hat is')
    .replace(/\b([Tt])here's\b/g, '$1here is');
}

/** Wordings by tone of the agent; `plain` for tones not listed. */
export const byTone = (
  voice: Voice,
  wordings: Partial<Record<Persona['tone'], readonly string[]>> & { plain: readonly string[] },
) => pick(voice, wordings[voice.persona.tone] ?? wordings.plain);
