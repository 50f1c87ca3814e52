import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AUDIO_PART, recordingStoredSchema, TRANSCRIPT_PART } from '#shared/recordings';
import { logProblem } from '#web/lib/log';
import { request, requestData } from '#web/lib/server/api-client';

/** Upload speed that every connection good enough for a call has, in bytes per millisecond. */
const SLOWEST_UPLOAD = 60;

/** Ends a conversation for good. A failure is only logged: the caller has left either way. */
export function useEndCall() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (conversationId: string) =>
      request(`/api/conversations/${encodeURIComponent(conversationId)}/end`, { method: 'PUT' }),
    onError: (error) => logProblem('The call was not ended on the server.', error),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['conversations'] }),
        queryClient.invalidateQueries({ queryKey: ['stats'] }),
      ]),
  });
}

/**
 * Uploads a recording, which belongs to the next user message with the same text.
 * @throws ApiError, also after a time limit that depends on its size, because the message waits for it
 */
export function uploadRecording(conversationId: string, recording: File, transcript: string) {
  const body = new FormData();
  body.set(TRANSCRIPT_PART, transcript);
  body.set(AUDIO_PART, recording);
  return requestData(`/api/conversations/${encodeURIComponent(conversationId)}/audio`, {
    method: 'POST',
    body,
    schema: recordingStoredSchema,
    timeoutMs: Math.min(60_000, 5_000 + recording.size / SLOWEST_UPLOAD),
  });
}
