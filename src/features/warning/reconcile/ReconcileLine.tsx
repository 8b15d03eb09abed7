import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '#ui/api/session.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { getReconcileReport, type ReconcileState } from '#features/warning/reconcile/reconcile.contract.ts';
import { formatReconcile } from '#features/warning/reconcile/reconcileText.ts';
import classes from './reconcile.module.css';

const ReconcileDrawer = lazyDialog(() =>
  import('#features/warning/reconcile/ReconcileDrawer.tsx').then((file) => file.ReconcileDrawer),
);

/** The last 零漏报对账 on the duty bar. It is red when the last success is older than two hours or differences wait for staff. */
export function ReconcileLine({ state }: { state: ReconcileState }) {
  const [isShowing, setIsShowing] = useState(false);
  const mayRead = can(getReconcileReport);
  const isRed = state.silent === 1 || state.differences > 0;
  const text = formatReconcile(state);
  const details = mayRead && (
    <Button
      size="compact-sm"
      variant={isRed ? 'white' : 'subtle'}
      color={isRed ? 'red.9' : 'gray'}
      onClick={() => setIsShowing(true)}
    >
      {state.differences > 0 ? '核实差异' : '对账记录'}
    </Button>
  );
  return (
    <>
      {isRed ? (
        <div role="alert" className={classes['alarm']}>
          <IconAlertTriangle size={18} aria-hidden />
          <span>
            {state.silent === 1
              ? `零漏报对账已超过 2 小时没有成功${state.to ? `（上次 ${state.to.slice(5, 16)}）` : ''}。请人工核对新答卷与预警个案，并立即联系系统管理员。`
              : `${text}。请尽快核实。`}
          </span>
          {details}
        </div>
      ) : (
        <span className={classes['line']}>
          {text}
          {details}
        </span>
      )}
      {isShowing && <ReconcileDrawer onClose={() => setIsShowing(false)} />}
    </>
  );
}
