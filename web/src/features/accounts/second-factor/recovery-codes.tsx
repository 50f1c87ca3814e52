import { Copy, Download } from 'lucide-react';
import { offerFile } from '#web/lib/offer-file';
import { t } from '#web/texts/accounts';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { toast } from '#web/ui/layers/toast';

/** The codes for a lost telephone, shown only this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(t('recoveryCodes.copied'));
    } catch {
      toast.error(t('recoveryCodes.copyFailed'));
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="success" role="status">
        {t('recoveryCodes.text')}
      </Banner>
      <ul
        aria-label={t('recoveryCodes.title')}
        className="grid gap-x-6 gap-y-1.5 rounded-md border border-line bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2.5">
        <Button onClick={onDone}>{t('recoveryCodes.done')}</Button>
        <Button variant="secondary" onClick={copy}>
          <Copy aria-hidden="true" />
          {t('recoveryCodes.copy')}
        </Button>
        <Button
          variant="secondary"
          onClick={() => offerFile(new Blob([text], { type: 'text/plain' }), 'sigma-recovery-codes.txt')}
        >
          <Download aria-hidden="true" />
          {t('recoveryCodes.download')}
        </Button>
      </div>
    </div>
  );
}
