import { randomBytes } from 'node:crypto';

/** A session id in LiveKit's form: `PA_` for a participant, `TR_` for a track, `RM_` for a room. */
export const newSid = (prefix: string): string => {
  let id = '';
  while (id.length < 12) id += randomBytes(12).toString('base64').replaceAll(/[+/=]/g, '');
  return prefix + id.slice(0, 12);
};
