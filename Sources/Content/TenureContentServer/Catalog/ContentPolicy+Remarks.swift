import TenureContent

extension ContentPolicy {
    /// What `apply` reports of the policy, because the vendor may not expect how its fields act together.
    var remarks: [String] {
        var remarks: [String] = []
        if refillsPlaysForEver {
            remarks.append(
                "every renewal restores all plays without limit; set maxRenewals or \"onRenewal\": \"carry\" to limit "
                    + "them")
        }
        if carriesWindow {
            remarks.append(
                "no renewal starts windowAfterFirstPlayHours again, so none is granted after that time; set "
                    + "\"onRenewal\": \"reset\" to start it again, or \"renewable\": false")
        }
        switch (whenOver, graceHours) {
        case (.grace, 0):
            remarks.append(
                "\"whenOver\": \"grace\" stops a running play at once, because graceHours is 0; set graceHours")
        case (.finish, 1...), (.stop, 1...):
            remarks.append("graceHours has no effect without \"whenOver\": \"grace\"")
        default: break
        }
        return remarks
    }
}
