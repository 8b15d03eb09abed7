import { Menu } from '@mantine/core';
import { PopupMenu } from '#ui/PopupMenu.tsx';
import { Link } from '#ui/router.tsx';
import { may } from '#ui/session.ts';
import type { Popup } from '#ui/usePopup.ts';
import { getAccessApprovalPageList } from '#features/approval/approval.contract.ts';
import { insertWarningRule } from '#features/warning/rule.contract.ts';

/** Rules and approvals, for those who may see them. */
export function MoreMenu(popup: Popup) {
  return (
    <PopupMenu {...popup}>
      {may(insertWarningRule) && (
        <Menu.Item component={Link} to="/earlyWarning/rules">
          预警规则
        </Menu.Item>
      )}
      {may(getAccessApprovalPageList) && (
        <Menu.Item component={Link} to="/approvals">
          导出审批
        </Menu.Item>
      )}
    </PopupMenu>
  );
}
