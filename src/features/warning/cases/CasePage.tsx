import { useParams } from '#ui/router/router.tsx';
import { CaseView } from '#features/warning/cases/CaseView.tsx';

/** A case on a page of its own: the link of messages, and what is printed. */
export default function CasePage() {
  const { warningcode = '' } = useParams();
  return <CaseView key={warningcode} warningcode={warningcode} />;
}
