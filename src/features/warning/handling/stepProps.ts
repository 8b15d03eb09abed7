import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';

/** The props of every step form. */
export interface StepProps {
  detail: WarningDetail;
  full: FullCase;
  onClose: () => void;
  /** the id of the follow-up, referral or intervention; 0 for other steps */
  id: number;
  /** the attachment to delete; '' for other steps */
  fileid: string;
  /** the subject that a second person shall confirm; undefined for other steps */
  subject?: 'exempt' | 'conclusion' | undefined;
}
