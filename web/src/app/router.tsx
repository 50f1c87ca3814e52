import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { OnlyAnonymous } from '#web/features/accounts/only-anonymous';
import { RequireUser } from '#web/features/accounts/require-user';
import { AppLayout } from './app-layout.tsx';
import { CrashScreen } from './crash-screen.tsx';
import { LoginPage } from './pages/entry/login-page.tsx';

/** Every page of the product. The landing page is in the first bundle; all others load on demand. */
export const routes: RouteObject[] = [
  {
    element: <AppLayout />,
    errorElement: <CrashScreen />,
    HydrateFallback: () => null,
    children: [
      { index: true, element: <Navigate to="/login" replace /> },
      {
        element: <OnlyAnonymous />,
        children: [
          { path: 'login', Component: LoginPage },
          {
            path: 'register',
            lazy: async () => ({ Component: (await import('./pages/entry/register-page.tsx')).RegisterPage }),
          },
          {
            path: 'sign-in/back',
            lazy: async () => ({
              Component: (await import('./pages/entry/sign-in-back-page.tsx')).SignInBackPage,
            }),
          },
          {
            path: 'forgot-password',
            lazy: async () => ({
              Component: (await import('./pages/entry/forgot-password-page.tsx')).ForgotPasswordPage,
            }),
          },
        ],
      },
      {
        // A signed-in user may have forgotten their password, too.
        path: 'reset-password',
        lazy: async () => ({
          Component: (await import('./pages/entry/reset-password-page.tsx')).ResetPasswordPage,
        }),
      },
      {
        lazy: async () => ({ Component: (await import('./member-area.tsx')).MemberArea }),
        children: [
          {
            element: <RequireUser />,
            children: [
              {
                path: 'second-factor',
                lazy: async () => ({
                  Component: (await import('./pages/entry/second-factor-page.tsx')).SecondFactorPage,
                }),
              },
              {
                path: 'dashboard',
                lazy: async () => ({ Component: (await import('./pages/dashboard-page.tsx')).DashboardPage }),
              },
              {
                path: 'conversations',
                lazy: async () => ({
                  Component: (await import('./pages/conversations-page.tsx')).ConversationsPage,
                }),
              },
              {
                path: 'conversations/:conversationId',
                lazy: async () => ({
                  Component: (await import('./pages/conversation-page.tsx')).ConversationPage,
                }),
              },
              {
                path: 'contacts',
                lazy: async () => ({ Component: (await import('./pages/contacts-page.tsx')).ContactsPage }),
              },
              {
                path: 'contacts/:contactId',
                lazy: async () => ({ Component: (await import('./pages/contact-page.tsx')).ContactPage }),
              },
              {
                path: 'unanswered',
                lazy: async () => ({
                  Component: (await import('./pages/unanswered-page.tsx')).UnansweredPage,
                }),
              },
              {
                path: 'call-simulator',
                lazy: async () => ({
                  Component: (await import('./pages/call-simulator-page.tsx')).CallSimulatorPage,
                }),
              },
              {
                path: 'agents',
                lazy: async () => ({ Component: (await import('./pages/agents-page.tsx')).AgentsPage }),
              },
              {
                path: 'agents/create',
                lazy: async () => ({
                  Component: (await import('./pages/agent-form-pages.tsx')).CreateAgentPage,
                }),
              },
              {
                path: 'agents/edit/:agentId',
                lazy: async () => ({
                  Component: (await import('./pages/agent-form-pages.tsx')).EditAgentPage,
                }),
              },
              {
                path: 'documents/:documentId',
                lazy: async () => ({ Component: (await import('./pages/document-page.tsx')).DocumentPage }),
              },
              {
                path: 'live-call/:roomName?',
                lazy: async () => ({ Component: (await import('./pages/live-call-page.tsx')).LiveCallPage }),
              },
            ],
          },
          {
            // It has no guard (specification); without navigation state it leads to the agents page, which has one.
            path: 'calls/:agentName',
            lazy: async () => ({ Component: (await import('./pages/agent-call-page.tsx')).AgentCallPage }),
          },
          {
            // This one has no guard either.
            path: 'history/:agentName',
            lazy: async () => ({ Component: (await import('./pages/history-page.tsx')).HistoryPage }),
          },
        ],
      },
      {
        path: '*',
        lazy: async () => ({ Component: (await import('./pages/not-found-page.tsx')).NotFoundPage }),
      },
    ],
  },
];

export const router = createBrowserRouter(routes);
