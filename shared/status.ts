import { z } from 'zod';

/** The status of an engine, in readable words. `progress` (0 to 1) is present while weights are being fetched. */
export const engineStatusSchema = z.object({
  state: z.enum(['fetching', 'loading', 'ready', 'failed']),
  progress: z.number().min(0).max(1).optional(),
  /** One sentence: what it does or waits for, or the problem and its remedy. */
  message: z.string(),
});
export type EngineStatus = z.infer<typeof engineStatusSchema>;

/** Answer of GET /api/status: the brain, voice and ears of this server, and its policy for storage. */
export const serverStatusSchema = z.object({
  brain: z.object({ name: z.string(), kind: z.enum(['grounded', 'model']), status: engineStatusSchema }),
  voice: z.object({ name: z.string(), status: engineStatusSchema }),
  ears: z.object({ name: z.string(), status: engineStatusSchema }),
  /** The operator's rules for all users. */
  policy: z.object({
    /** Days after its last message until a conversation is deleted; null: only on request. */
    retentionDays: z.number().nullable(),
    /** Speech never leaves the server: browsers' own recognition is not used. */
    audioStaysHere: z.boolean(),
  }),
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;
