import { useCallback, useState } from 'react';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { type ShownConversation, useDeleteConversation } from './api.ts';

/**
 * Asks before a conversation is deleted.
 * @param onDeleted after the server has deleted it
 * @returns `ask` opens the question, which stands where `dialog` is put
 */
export function useDeletion(onDeleted: (conversation: ShownConversation) => void) {
  const deletion = useDeleteConversation();
  const [condemned, setCondemned] = useState<ShownConversation | null>(null);
  const [asking, setAsking] = useState(false);
  return {
    ask: useCallback((conversation: ShownConversation) => {
      setCondemned(conversation);
      setAsking(true);
    }, []),
    dialog: (
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question="Are you sure you want to delete this conversation?"
        detail={
          condemned && (
            <>
              <bdi className="wrap-anywhere">{condemned.title}</bdi> and its recordings are gone for good.
            </>
          )
        }
        confirm="Delete Conversation"
        onConfirm={() =>
          condemned && deletion.mutate(condemned._id, { onSuccess: () => onDeleted(condemned) })
        }
      />
    ),
  };
}
