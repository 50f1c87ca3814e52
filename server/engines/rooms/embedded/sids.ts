import { randomBytes } from 'node:crypto';

/** A session id as LiveKit's clients know them: `PA_` a participant, `TR_` a track, `RM_` a room. */
export const newSid = (prefix: string): string => {
  let id = '';
  while (id.length < 12) id += randomBytes(12).toString('base64').replaceAll(/[+/=]/g, '');
  return prefix + id.slice(0, 12);
};
