import { pathOf } from '#contract/menu.ts';
import type { Kind } from '#features/muser/muser.labels.ts';

/** Paths of the screens of institutions, and URLs of their QR codes. */

/** Returns the path of the list of institutions or providers. */
export const listPath = (kind: Kind) => pathOf(kind === 'institutions' ? 'service.institutions' : 'service.providers');
/** Returns the path of the onboarding: of a new institution, or of `musercode` to continue it. */
export const onboardingPath = (kind: Kind, musercode?: string) => `/Service/opening/${kind}${musercode ? `/${musercode}` : ''}`;
/** Returns the URL of the QR code of an entry; `size` in pixels. */
export const qrPicture = (clientcode: string, size: 200 | 400) => `/qr/${encodeURIComponent(clientcode)}.png?size=${size}`;
