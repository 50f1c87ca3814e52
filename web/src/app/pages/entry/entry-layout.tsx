import { BookOpenText, Headphones, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '#web/texts/entry';
import { SigmaGlyph } from '#web/ui/logo';

interface EntryLayoutProps {
  heading: string;
  subtitle: string;
  children: ReactNode;
  /** The link to the other form. */
  footer: ReactNode;
}

const promises = [
  { icon: BookOpenText, text: t('about.sources') },
  { icon: Headphones, text: t('about.voice') },
  { icon: ShieldCheck, text: t('about.honest') },
];

/** The page of a sign-in or registration form, with a picture of the product beside it. */
export function EntryLayout({ heading, subtitle, children, footer }: EntryLayoutProps) {
  return (
    <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <section className="flex items-start justify-center px-4 py-10 sm:px-6 sm:py-16 lg:items-center lg:py-12">
        <div className="w-full max-w-sm">
          <h1 className="font-semibold text-3xl">{heading}</h1>
          <p className="mt-2 text-ink-muted">{subtitle}</p>
          <div className="mt-8">{children}</div>
          <p className="mt-7 text-ink-muted text-sm">{footer}</p>
        </div>
      </section>
      <aside
        aria-label={t('about.name')}
        className="relative hidden overflow-hidden border-line border-l bg-surface lg:flex lg:items-center lg:justify-center"
      >
        <div
          aria-hidden="true"
          className="absolute inset-0 bg-[radial-gradient(60rem_36rem_at_70%_20%,var(--accent-soft),transparent_70%)]"
        />
        <div className="relative flex w-full max-w-md flex-col px-10 py-12">
          <div aria-hidden="true" className="relative grid size-28 place-items-center">
            <div className="absolute inset-0 animate-breathe rounded-full bg-accent-soft ring-1 ring-accent-line/60" />
            <div className="orb-core relative grid size-20 place-items-center rounded-full text-white [--logo-point:oklch(0.92_0.08_196)]">
              <SigmaGlyph className="size-10" />
            </div>
          </div>
          <h2 className="mt-8 font-semibold text-2xl">{t('about.heading')}</h2>
          <ul className="mt-7 flex flex-col gap-4">
            {promises.map(({ icon: Icon, text }) => (
              <li key={text} className="flex gap-3.5 text-ink-muted">
                <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-text" />
                {text}
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}
