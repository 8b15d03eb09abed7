import { useParams } from '#ui/router/router.tsx';
import { CaseView } from '#features/warning/cases/CaseView.tsx';

/** The page of one case. Messages link to it, and staff print it. */
export default function CasePage() {
  const { warningcode = '' } = useParams();
  return <CaseView key={warningcode} warningcode={warningcode} />;
}
