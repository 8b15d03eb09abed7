import { useNavigate, useParams } from '#ui/router/router.tsx';
import { casePath } from '#features/warning/list/caseSequence.ts';
import { CaseView } from '#features/warning/cases/CaseView.tsx';

/** The page of one case. Messages link to it, and staff print it. */
export default function CasePage() {
  const { warningcode = '' } = useParams();
  const navigate = useNavigate();
  return <CaseView key={warningcode} warningcode={warningcode} onMove={(code) => void navigate(casePath(code))} />;
}
