public import TenureContent
import TenureCore
import TenureServerKit
public import TenureStore

extension ContentLicense: Stored {
    /// The content licenses on devices with their newest grant, in every state.
    ///
    /// Columns of the grant start with `grant_` if the license has a column with the same name.
    public static let table = Table<ContentLicense>(
        "content_licenses", key: ["id"],
        [
            Field("id") { $0.id }, Field("tenant") { $0.present.tenant },
            Field("holder", namesPerson: true) { $0.holder },
            Field("enrolment_id") { $0.enrolment }, Field("content") { $0.present.content },
            Field("device") { $0.present.device }, Field("grant_enrolment_id") { $0.present.enrolment },
            Field("request") { $0.present.request }, Field("version") { $0.present.version },
            Field("issued_at") { $0.present.issuedAt }, Field("grant_settled") { $0.present.settled },
            Field("not_before") { $0.present.terms.notBefore }, Field("expires_at") { $0.present.terms.expiresAt },
            Field("window_after_first_play") { $0.present.terms.windowAfterFirstPlay },
            Field("plays") { $0.present.terms.plays }, Field("play_seconds") { $0.present.terms.playSeconds },
            Field("play_time_basis") { $0.present.terms.playTimeBasis },
            Field("count_after_seconds") { $0.present.terms.countAfterSeconds },
            Field("resume_within_seconds") { $0.present.terms.resumeWithinSeconds },
            Field("check_in_by") { $0.present.terms.checkInBy },
            Field("online_required") { $0.present.terms.onlineRequired },
            Field("ask_before_renew") { $0.present.terms.askBeforeRenew },
            Field("renew_from") { $0.present.terms.renewFrom }, Field("renew_until") { $0.present.terms.renewUntil },
            Field("grace_seconds") { $0.present.terms.graceSeconds },
            Field("when_over") { $0.present.terms.whenOver }, Field("ledger") { $0.present.terms.ledger },
            Field("state") { $0.state }, Field("stopped_at") { $0.stoppedAt }, Field("is_released") { $0.isReleased },
            Field("is_reset") { $0.isReset }, Field("counts_from") { $0.countsFrom },
            Field("used_plays") { $0.used.plays }, Field("used_seconds") { $0.used.playSeconds },
            Field("settled") { $0.settled }, Field("summed") { $0.summed }, Field("first_play_at") { $0.firstPlayAt },
            Field("downloaded_at") { $0.downloadedAt }, Field("last_seen_at") { $0.lastSeenAt },
            Field("confirmed_version") { $0.confirmed }, Field("uncounted_version") { $0.uncounted },
            Field("player_expired_at") { $0.playerExpiredAt },
            Field.fold("holder_folded", namesPerson: true) { $0.holder },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self), ForeignKey("enrolment_id", to: Enrolment.self)],
        indexes: [
            TableIndex("by_holder", "tenant", "holder", "device", "content", "id"),
            TableIndex(
                "by_folded_holder", "tenant", "holder_folded", "device", "content", "id",
                where: .isNotNull("holder_folded")),
            TableIndex("by_enrolment", "enrolment_id", "device", "id"), TableIndex("by_tenant", "tenant", "id"),
        ]
    ) { row in
        let id: ContentLicenseID = try row.next()
        let tenant: TenantID = try row.next()
        let holder: String = try row.next()
        let enrolment: EnrolmentID = try row.next()
        let grant = try row.grant(tenant, id)
        let (state, stoppedAt): (ContentLicense.State, Timestamp?) = (try row.next(), try row.next())
        let (isReleased, isReset): (Bool, Bool) = (try row.next(), try row.next())
        let countsFrom: Int64 = try row.next()
        let used = ContentUse(plays: try row.next(), playSeconds: try row.next())
        let (settled, summed): (Int64, Int64) = (try row.next(), try row.next())
        let firstPlayAt: Timestamp? = try row.next()
        let (downloadedAt, lastSeenAt): (Timestamp?, Timestamp) = (try row.next(), try row.next())
        var license = ContentLicense(
            id: id, holder: holder, enrolment: enrolment, present: grant, state: state, stoppedAt: stoppedAt,
            isReleased: isReleased, isReset: isReset, countsFrom: countsFrom, used: used, confirmed: try row.next(),
            uncounted: try row.next(), settled: settled, summed: summed, firstPlayAt: firstPlayAt,
            downloadedAt: downloadedAt,
            lastSeenAt: lastSeenAt)
        license.playerExpiredAt = try row.next()
        return license
    }

    /// The licenses of a tenant, by id.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// The licenses of a holder, by device and content.
    ///
    /// If the order were by id, a database would scan all licenses of the tenant.
    public static let ofHolder = table.set(
        "of_holder", "tenant", "holder", order: [.up("device"), .up("content")])
    /// The licenses of a holder on one device, by content.
    public static let onDevice = table.set("on_device", "tenant", "holder", "device", order: [.up("content")])
    /// The licenses of all holders with the same fold, by device and content.
    public static let ofFoldedHolder = table.set(
        "of_folded_holder", "tenant", "holder_folded", where: .isNotNull("holder_folded"),
        order: [.up("device"), .up("content")])
    /// The licenses of all holders with the same fold on one device, by content.
    public static let ofFoldedHolderOnDevice = table.set(
        "of_folded_holder_on_device", "tenant", "holder_folded", "device", where: .isNotNull("holder_folded"),
        order: [.up("content")])
    /// The licenses of a holder for one content item on one device.
    ///
    /// At most one is active.
    public static let ofContent = table.set("of_content", "tenant", "holder", "device", "content")
    /// The licenses of an enrolment.
    public static let ofEnrolment = table.set("of_enrolment", "enrolment_id")
    /// The licenses of an enrolment on one device.
    public static let onDeviceUnderEnrolment = table.set("of_place", "enrolment_id", "device")
}

extension RowCursor {
    fileprivate mutating func grant(
        _ tenant: TenantID, _ license: ContentLicenseID
    ) throws(StoreError) -> ContentGrant {
        let (content, device): (ContentID, Digest) = (try next(), try next())
        let (enrolment, request): (EnrolmentID, String) = (try next(), try next())
        let (version, issuedAt, settled): (Int64, Timestamp, Int64) = (try next(), try next(), try next())
        var terms = ContentTerms()
        terms.notBefore = try next()
        terms.expiresAt = try next()
        terms.windowAfterFirstPlay = try next()
        terms.plays = try next()
        terms.playSeconds = try next()
        terms.playTimeBasis = try next()
        terms.countAfterSeconds = try next()
        terms.resumeWithinSeconds = try next()
        terms.checkInBy = try next()
        terms.onlineRequired = try next()
        terms.askBeforeRenew = try next()
        terms.renewFrom = try next()
        terms.renewUntil = try next()
        terms.graceSeconds = try next()
        terms.whenOver = try next()
        terms.ledger = try next()
        return ContentGrant(
            tenant: tenant, license: license, enrolment: enrolment, content: content, device: device,
            request: request, version: version, issuedAt: issuedAt, terms: terms, settled: settled)
    }
}
