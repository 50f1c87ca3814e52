import { randomBytes } from 'node:crypto';
import { createSignedLinks } from '#server/lib/signed-links';
import { type RecordingsDependencies, RecordingsService } from './service.ts';

/**
 * Recordings shared by every instance on this database: one secret for links and one place in the media store, both
 * made by the first instance.
 */
export async function openRecordings(
  deps: Omit<RecordingsDependencies, 'links' | 'namespace'>,
): Promise<RecordingsService> {
  const { repository, now } = deps;
  const secret = await repository.agree('recording-links', randomBytes(32).toString('base64url'));
  const namespace = await repository.agree('recording-namespace', randomBytes(8).toString('hex'));
  return new RecordingsService({ ...deps, links: createSignedLinks(secret, now), namespace });
}
