import { z } from 'zod';

/** What a person has settled for all their calls. GET and PUT /api/preferences. */
export const preferencesSchema = z.object({
  /** Whether recordings of both sides of a call are kept with the conversation. */
  keepRecordings: z.boolean(),
  /**
   * `server`: speech is only ever turned into text by this server. `automatic`: by the browser where it can, whose maker may then
   * receive it; so that is nobody's who has not chosen it.
   */
  recognition: z.enum(['automatic', 'server']),
  /** Short sounds for joined, muted and hung up. */
  soundCues: z.boolean(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Body of PUT /api/preferences: what is left out stays as it is, so that two open pages do not undo each other. */
export const preferencesChangeSchema = preferencesSchema.partial();
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>;

export const defaultPreferences: Preferences = {
  keepRecordings: true,
  recognition: 'server',
  soundCues: true,
};
