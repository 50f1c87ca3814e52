import { normalize } from '../words.ts';

/** Whether a message corrects the previous one: "no, 4472", "sorry, I meant Friday". */
export const isCorrection = (message: string) =>
  /^(?:(?:oh|um+|well|ah)[,. ]+)*(?:no|nope|sorry|wait|actually|correction|i (?:mean|meant)|make (?:it|that)|not)\b/.test(
    normalize(message).trim(),
  );
