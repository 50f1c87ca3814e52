import { z } from 'zod';

/** A user's preferences for all their calls. GET and PUT /api/preferences. */
export const preferencesSchema = z.object({
  /** Whether recordings of both sides of a call are kept with the conversation. */
  keepRecordings: z.boolean(),
  /**
   * `server`: only this server turns speech into text. `automatic`: the browser does where it can, and its maker may
   * then receive the speech; so this is never the default.
   */
  recognition: z.enum(['automatic', 'server']),
  /** Short sounds for joined, muted and hung up. */
  soundCues: z.boolean(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Body of PUT /api/preferences: missing fields keep their values, so that two open pages do not undo each other. */
export const preferencesChangeSchema = preferencesSchema.partial();
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>;

export const defaultPreferences: Preferences = {
  keepRecordings: true,
  recognition: 'server',
  soundCues: true,
};
