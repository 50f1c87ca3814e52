import { ApiError } from '#web/lib/server/api-error';

/**
 * The requests of this feature, fetched for the first of them: the schemas that check the answers weigh as much as the
 * whole page on which a visitor signs in.
 * @throws ApiError when they cannot be fetched.
 */
export async function accountRequests(): Promise<typeof import('./api.ts')> {
  try {
    return await import('./api.ts');
  } catch (error) {
    throw ApiError.unreachable(error);
  }
}
