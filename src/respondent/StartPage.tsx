import type { HotlineView } from '#domain/exam/hotline.ts';
import { call, type CallRequest } from '#respondent/api/api.ts';
import type { Identity, Session } from '#respondent/api/session.ts';
import { IdentifyPage } from '#respondent/entry/IdentifyPage.tsx';
import { KioskPage } from '#respondent/entry/KioskPage.tsx';
import { LinkPage } from '#respondent/entry/LinkPage.tsx';
import type { Entry } from '#respondent/steps.ts';
import type { Words } from '#respondent/wording.ts';

/** Identifies the person of a link that staff made; `birthday` is `MM-DD`. */
export const enterByLink = ({ clientcode, link = '' }: Session, birthday?: string): Promise<Identity> =>
  call('loginByLink', { clientcode, secret: link, ...(birthday && { birthday }) });

interface Props {
  session: Session;
  entry: Entry;
  words: Words;
  lines: readonly HotlineView[];
  /** the person came with a link that asks for the day of birth */
  isLink: boolean;
  isReidentification?: boolean;
  onIdentity: (identity: Identity) => void;
  /** this device is no kiosk any more */
  onUnpaired: () => void;
}

/** The page on which the person identifies: by a link, by a code at a kiosk, or as the entry asks. */
export function StartPage({ session, entry, words, lines, isLink, isReidentification = false, onIdentity, onUnpaired }: Props) {
  const { clientcode, kiosk } = session;
  if (isLink)
    return (
      <LinkPage
        entry={entry}
        words={words}
        isReidentification={isReidentification}
        login={async (birthday) => onIdentity(await enterByLink(session, birthday))}
      />
    );
  if (kiosk)
    return (
      <KioskPage
        entry={entry}
        login={async (code) => onIdentity(await call('loginByKioskCode', { clientcode, kiosk, code }))}
        unpair={() => (session.unpair(), onUnpaired())}
      />
    );
  const identify = (request: CallRequest<'loginRespondent'>) =>
    call('loginRespondent', entry.loginmode === '04' ? { ...request, key: session.scan } : request);
  return (
    <IdentifyPage
      entry={entry}
      clientcode={clientcode}
      words={words}
      lines={lines}
      isReidentification={isReidentification}
      login={async (request) => onIdentity(await identify(request))}
    />
  );
}
