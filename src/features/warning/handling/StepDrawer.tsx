import type { ReactNode } from 'react';
import { BookDrawer } from '#blocks/consult/BookDrawer.tsx';
import { AssessDrawer } from '#features/warning/handling/AssessDrawer.tsx';
import { CloseDrawer, GuardianDrawer, LevelDrawer, ReopenDrawer } from '#features/warning/handling/decisionDrawers.tsx';
import {
  CorrectDeathDrawer,
  DeathDrawer,
  DischargeDrawer,
  DutyRecordDrawer,
  ExemptDrawer,
  ReceiveDrawer,
} from '#features/warning/special/specialDrawers.tsx';
import {
  FeedbackDrawer,
  FollowDrawer,
  InterfereDrawer,
  ObserveDrawer,
  PlanDrawer,
  ReferralDrawer,
} from '#features/warning/handling/careDrawers.tsx';
import { AssignDrawer, InterveneDrawer, LogDrawer, VerifyDrawer } from '#features/warning/handling/stepDrawers.tsx';
import {
  DeleteInterventionDrawer,
  DeleteCaseFileDrawer,
  EditFollowupDrawer,
  EditInterventionDrawer,
} from '#features/warning/handling/correctionDrawers.tsx';
import { SafetyPlanDrawer } from '#features/warning/plan/SafetyPlanDrawer.tsx';
import { TransferDrawer } from '#features/warning/transfer/TransferDrawer.tsx';
import { AgreeSecondDrawer, AskSecondDrawer, ReturnSecondDrawer } from '#features/warning/second/secondDrawers.tsx';
import { AttachDrawer, CaseRetestDrawer, ReturnDrawer } from '#features/warning/files/fileDrawers.tsx';
import type { StepProps } from '#features/warning/handling/stepProps.ts';

/** An open step form. Steps on an existing record carry its id. */
export type Step =
  | { kind: RecordStepKind; id: number }
  | { kind: 'detach'; fileid: string }
  | { kind: 'asksecond'; subject: 'exempt' | 'conclusion' }
  | { kind: Exclude<StepKind, RecordStepKind | 'detach' | 'asksecond'> };
type RecordStepKind =
  'duty' | 'follow' | 'feedback' | 'editfollowup' | 'editinterfere' | 'deleteinterfere' | 'agreesecond' | 'returnsecond';
export type StepKind = keyof typeof DRAWERS;

const DRAWERS = {
  assign: AssignDrawer,
  verify: VerifyDrawer,
  exclude: (props: StepProps) => <VerifyDrawer {...props} mistaken />,
  assess: AssessDrawer,
  safetyplan: SafetyPlanDrawer,
  intervene: InterveneDrawer,
  interfere: InterfereDrawer,
  book: ({ detail: { warningcode, username, musercode }, onClose }: StepProps) => (
    <BookDrawer of={{ warningcode }} username={username} musercode={musercode} onClose={onClose} />
  ),
  refer: ReferralDrawer,
  feedback: FeedbackDrawer,
  observe: ObserveDrawer,
  plan: PlanDrawer,
  retest: CaseRetestDrawer,
  return: ReturnDrawer,
  attach: AttachDrawer,
  detach: DeleteCaseFileDrawer,
  editfollowup: EditFollowupDrawer,
  editinterfere: EditInterventionDrawer,
  deleteinterfere: DeleteInterventionDrawer,
  follow: FollowDrawer,
  log: LogDrawer,
  raise: (props: StepProps) => <LevelDrawer {...props} up />,
  lower: LevelDrawer,
  notifyguardian: GuardianDrawer,
  exemptguardian: ExemptDrawer,
  close: CloseDrawer,
  reopen: ReopenDrawer,
  agreesecond: AgreeSecondDrawer,
  returnsecond: ReturnSecondDrawer,
  asksecond: AskSecondDrawer,
  transfer: TransferDrawer,
  receive: ReceiveDrawer,
  discharge: DischargeDrawer,
  duty: DutyRecordDrawer,
  reportdeath: DeathDrawer,
  correctdeath: CorrectDeathDrawer,
} as const satisfies Record<string, (props: StepProps) => ReactNode>;

/** The form of one step. */
export function StepDrawer({ step, ...props }: Omit<StepProps, 'id' | 'fileid' | 'subject'> & { step: Step }) {
  const Drawer = DRAWERS[step.kind];
  return (
    <Drawer
      {...props}
      id={'id' in step ? step.id : 0}
      fileid={'fileid' in step ? step.fileid : ''}
      subject={'subject' in step ? step.subject : undefined}
    />
  );
}
