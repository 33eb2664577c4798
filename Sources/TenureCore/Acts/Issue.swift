extension License {
    /// Makes a license, in the state of a grant that nobody has used yet, and the event that records it.
    public static func issue(
        id: LicenseID, product: ProductRef, key: LicenseKey, policy: PolicyID, holder: String?, term: Term,
        by actor: Actor, at now: Timestamp
    ) -> Consequences {
        let license = License(
            id: id, product: product, key: key, policy: policy, holder: holder, term: term, recordedState: .issued,
            issuedAt: now, firstActivatedAt: nil)
        return license.recording(
            .licenseIssued, license, by: actor, at: now,
            [
                .init("policy", .text(policy.text)), .init("key", .text(key.masked)),
            ])
    }

    /// The consequences of one change of this license, with its event.
    func recording(
        _ kind: EventKind, _ license: License, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence]
    ) -> Consequences {
        Consequences(
            license: license,
            events: [Event(kind, at: now, product: product, license: id, actor: actor, detail: detail)])
    }
}
