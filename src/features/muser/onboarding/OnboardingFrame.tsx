import { Button, Stepper } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { onboardingSteps } from '#features/muser/muser.contract.ts';
import { kindName, type Kind } from '#features/muser/muser.labels.ts';
import { listPath } from '#features/muser/paths.ts';

type OnboardingStep = (typeof onboardingSteps)[number];
const titles = { apps: '应用与阶段', counts: '次数', accounts: '账号', qr: '二维码', done: '完成' } as const;
/** Returns the steps after the basic data. An authority spends no counts; only schools and hospitals have a QR code. */
export const stepsOf = (musertype: string): readonly OnboardingStep[] =>
  musertype === '003' ? ['accounts'] : musertype === '002' ? ['counts', 'accounts'] : onboardingSteps.slice(0, -1);

/** The card of the onboarding with the headings of its steps. `active` counts from 0, the basic data. */
export function OnboardingFrame({
  kind,
  musertype,
  active,
  onReturn,
  children,
}: {
  kind: Kind;
  musertype: string;
  active: number;
  /** Goes back to an earlier step. */
  onReturn?: (step: number) => void;
  children: ReactNode;
}) {
  return (
    <Section
      title={`开通${kindName[kind]}`}
      right={
        <Button component={Link} to={listPath(kind)} variant="default" size="compact-sm">
          返回列表
        </Button>
      }
    >
      <Stepper active={active} size="sm" iconSize={28} onStepClick={(step) => step < active && onReturn?.(step)}>
        {['基本信息', ...stepsOf(musertype).map((step) => titles[step])].map((title, index) => (
          <Stepper.Step key={title} label={title} allowStepSelect={onReturn !== undefined && index < active} />
        ))}
      </Stepper>
      <div style={{ maxWidth: 720, marginTop: 20 }}>{children}</div>
    </Section>
  );
}
