import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';

/** What the form of a step is given. */
export interface StepProps {
  detail: WarningDetail;
  full: FullCase;
  onClose: () => void;
  /** the follow-up, referral or intervention meant */
  id: number;
  /** the paper meant */
  name: string;
}
