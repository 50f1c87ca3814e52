import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import { t } from '#web/texts/app';
import { NavigationBar } from './navigation-bar.tsx';

/** The frame of every page: a skip link, the navigation, and the page. */
export function AppLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const firstPath = useRef(pathname);
  const loading = useNavigation().state === 'loading';

  useEffect(() => {
    // Screen readers continue at the new page instead of at a removed link.
    if (firstPath.current === pathname) return;
    firstPath.current = '';
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent px-4 py-2.5 font-medium text-on-accent text-sm focus-visible:translate-y-0 focus-visible:shadow-float"
      >
        {t('skipToContent')}
      </a>
      <NavigationBar />
      {loading && (
        <div aria-hidden="true" className="fixed inset-x-0 top-0 z-60 h-0.5 animate-late overflow-hidden">
          <div className="h-full w-full animate-shimmer bg-accent" />
        </div>
      )}
      <main id="content" ref={main} tabIndex={-1} className="flex flex-1 flex-col">
        <Outlet />
      </main>
      <ScrollRestoration />
    </div>
  );
}
