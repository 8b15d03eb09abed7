import type { FastifyRequest } from 'fastify';

const policy = (nonce: string | undefined, hasForm: boolean) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The component library writes one style element with its variables; a page gets a nonce for it.
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    // The console reads the duration of a recording before it is uploaded.
    "media-src 'self' blob:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "object-src 'none'",
  ].join('; ');

/** Returns the headers of every response (security.md C34). HSTS only for https. `hasForm`: a page posts a form here. */
export function securityHeaders(request: FastifyRequest, nonce?: string, hasForm = false): Record<string, string> {
  return {
    'content-security-policy': policy(nonce, hasForm),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'x-frame-options': 'DENY',
    ...(request.protocol === 'https' ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  };
}
