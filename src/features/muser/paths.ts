import { pathOf } from '#contract/menu.ts';
import type { Kind } from '#features/muser/muser.labels.ts';

/** Addresses of the screens of institutions, and of their QR pictures. */

export const listPath = (kind: Kind) => pathOf(kind === 'institutions' ? 'service.institutions' : 'service.providers');
export const openingPath = (kind: Kind, musercode?: string) => `/Service/opening/${kind}${musercode ? `/${musercode}` : ''}`;
export const qrPicture = (clientcode: string, size: 200 | 400) => `/qr/${encodeURIComponent(clientcode)}.png?size=${size}`;
