/** An able member of staff of an institution or of one above it (`access.able_staff`). */
export interface AbleMember {
  userid: string;
  realname: string;
  musercode: string;
  insname: string;
  orgpath: string;
  roles: readonly string[];
  /** on duty at the time of the query, by the roster of the institution of the case */
  onduty: boolean;
  opencases: number;
}

const fewestCases = (a: AbleMember, b: AbleMember) => a.opencases - b.opencases || (a.userid < b.userid ? -1 : 1);

/**
 * The next owner of a case of an institution (clinical-rules.md A): the first of staff on duty, psychologists, 机构管理员 and other able
 * staff; then, institution by institution upwards, the duty staff and the other able staff. Among equals the one with the fewest
 * open cases. undefined when nobody is able.
 */
export function chooseReceiver(staff: readonly AbleMember[], musercode: string): AbleMember | undefined {
  const own = staff.filter((item) => item.musercode === musercode);
  const above = staff
    .filter((item) => item.musercode !== musercode)
    .sort((a, b) => b.orgpath.length - a.orgpath.length || fewestCases(a, b));
  const nearest = above.filter((item) => item.musercode === above[0]?.musercode);
  const groups = [
    own.filter((item) => item.onduty),
    own.filter((item) => item.roles.includes('psychologist')),
    own.filter((item) => item.roles.includes('insadmin')),
    own,
    nearest.filter((item) => item.roles.includes('warningduty')),
    nearest,
    above.filter((item) => item.roles.includes('warningduty')),
    above,
  ];
  return groups.find((group) => group.length > 0)?.sort(fewestCases)[0];
}
