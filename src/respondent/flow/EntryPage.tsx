import type { Identity } from '#respondent/api/session.ts';
import type { Flow } from '#respondent/flow/useFlow.ts';
import { StartPage } from '#respondent/StartPage.tsx';

interface Props {
  flow: Flow;
  isLink?: boolean;
  /** the session has ended, and the same person identifies again */
  isAgain?: boolean;
  onIdentity: (identity: Identity) => void;
}

/** The first page of the entry that the QR code opened. */
export function EntryPage({ flow, isLink = false, isAgain = false, onIdentity }: Props) {
  const { session, entry, words, lines, setStep } = flow;
  return (
    entry && (
      <StartPage
        session={session}
        entry={entry}
        words={words}
        lines={lines}
        isLink={isLink}
        isReidentification={isAgain}
        onIdentity={onIdentity}
        onUnpaired={() => setStep({ page: 'identify' })}
      />
    )
  );
}
