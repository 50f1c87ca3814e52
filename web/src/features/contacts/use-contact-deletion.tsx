import { useState } from 'react';
import { t } from '#web/texts/contacts';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { toast } from '#web/ui/layers/toast';
import { type ShownContact, useDeleteContact } from './api.ts';
import { contactName } from './contact-name.ts';

/**
 * Asks before a contact is deleted.
 * @param onDeleted called after the server has deleted them
 * @returns `ask` opens the question; `dialog` is its element to render
 */
export function useContactDeletion(contact: ShownContact | undefined, onDeleted: () => void) {
  const deletion = useDeleteContact();
  const [asking, setAsking] = useState(false);
  const done = () => {
    toast.success(t('deletion.done'));
    onDeleted();
  };
  return {
    ask: () => setAsking(true),
    isBusy: deletion.isPending,
    dialog: contact && (
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question={t('deletion.question')}
        detail={t.rich('deletion.detail', {
          contact: (name) => <bdi className="wrap-anywhere">{name}</bdi>,
          name: contactName(contact),
        })}
        confirm={t('deletion.confirm')}
        onConfirm={() => deletion.mutate(contact._id, { onSuccess: done })}
      />
    ),
  };
}
