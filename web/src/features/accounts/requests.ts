import { ApiError } from '#web/lib/server/api-error';

/**
 * The requests of this feature, loaded at the first one: the schemas that check the answers are as large as the whole
 * sign-in page.
 * @throws ApiError when they cannot be loaded.
 */
export async function accountRequests(): Promise<typeof import('./api.ts')> {
  try {
    return await import('./api.ts');
  } catch (error) {
    throw ApiError.unreachable(error);
  }
}
