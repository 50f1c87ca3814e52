import { normalize } from '../words.ts';

/** Whether a message takes back what was said before: "no, 4472", "sorry, I meant Friday". */
export const isCorrection = (message: string) =>
  /^(?:(?:oh|um+|well|ah)[,. ]+)*(?:no|nope|sorry|wait|actually|correction|i (?:mean|meant)|make (?:it|that)|not)\b/.test(
    normalize(message).trim(),
  );
