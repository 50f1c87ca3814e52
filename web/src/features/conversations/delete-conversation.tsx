import { useCallback, useState } from 'react';
import { t } from '#web/texts/conversations';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { type ShownConversation, useDeleteConversation } from './api.ts';

/**
 * Asks before a conversation is deleted.
 * @param onDeleted called after the server has deleted it
 * @returns `ask` opens the question; `dialog` is its element to render
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
        question={t('deletion.question')}
        detail={
          condemned &&
          t.rich('deletion.detail', {
            title: (text) => <bdi className="wrap-anywhere">{text}</bdi>,
            name: condemned.title,
          })
        }
        confirm={t('deletion.confirm')}
        onConfirm={() =>
          condemned && deletion.mutate(condemned._id, { onSuccess: () => onDeleted(condemned) })
        }
      />
    ),
  };
}
