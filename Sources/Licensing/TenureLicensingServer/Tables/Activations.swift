import TenureCore
public import TenureLicensing
public import TenureStore

extension Activation.Releaser: StorableCode {}

extension Activation: Stored {
    /// Activations of software licenses, including released ones.
    public static let table = Table<Activation>(
        "activations", key: ["id"],
        [
            Field("id") { $0.id }, Field("license_id") { $0.license },
            Field("identity", namesPerson: true) { $0.identity.code },
            Field("name", namesPerson: true) { $0.name }, Field("system") { $0.system?.name },
            Field("system_version") { $0.system?.version }, Field("activated_at") { $0.activatedAt },
            Field("released_at") { $0.releasedAt }, Field("released_by") { $0.releasedBy },
            Field("counts_until") { $0.countsUntil },
        ],
        foreignKeys: [ForeignKey("license_id", to: License.self)],
        indexes: [
            // Without the time, SQLite 3.40 would look for one device among all, in the order of `by_time`.
            TableIndex("by_license", "license_id", "released_at", "identity", "activated_at"),
            TableIndex("by_time", "license_id", "activated_at", where: .isNull("released_at")),
            TableIndex(
                "by_holder_release", "license_id", "released_at",
                where: .equals("released_by", Activation.Releaser.holder), .isNotNull("released_at")),
            TableIndex("by_count", "license_id", "counts_until", where: .isNotNull("counts_until")),
            TableIndex("by_release", "released_at", where: .isNotNull("released_at"), .isNull("counts_until")),
            TableIndex("by_count_end", "counts_until", where: .isNotNull("counts_until")),
        ]
    ) { row in
        Activation(
            id: try row.next(), license: try row.next(), identity: try identity(row.next()), name: try row.next(),
            system: DeviceSystem(name: try row.next(), version: try row.next()), activatedAt: try row.next(),
            releasedAt: try row.next(), releasedBy: try row.next(), countsUntil: try row.next())
    }

    /// The activations of a license, oldest first.
    public static let ofLicense = table.set("of_license", "license_id", order: [.up("activated_at")])
    /// The activations of a license that haven't been released, oldest first.
    public static let live = table.set(
        "live", "license_id", where: .isNull("released_at"), order: [.up("activated_at")])
    /// The activations of a license that haven't been released, latest first.
    static let newestLive = table.set(
        "newest_live", "license_id", where: .isNull("released_at"), order: [.down("activated_at")])
    /// The released activations of a license, latest release first.
    static let latestReleased = table.set(
        "latest_released", "license_id", where: .isNotNull("released_at"), order: [.down("released_at")])
    /// The released activations without ``Activation/countsUntil``, earliest release first.
    static let byRelease = table.set(
        "by_release", where: .isNotNull("released_at"), .isNull("counts_until"), order: [.up("released_at")])
    /// The activations with an ``Activation/countsUntil``, in the order of these times.
    static let byCountEnd = table.set(
        "by_count_end", where: .isNotNull("counts_until"), order: [.up("counts_until")])
    /// The live activations of a device, latest first; an anonymous device has none.
    public static let liveOfDevice = table.set(
        "live_of_device", "license_id", "identity", where: .isNull("released_at"), order: [.down("activated_at")])
    /// The activations of a license that its holder released, latest first.
    public static let releasedByHolder = table.set(
        "released_by_holder", "license_id", where: .equals("released_by", Activation.Releaser.holder),
        .isNotNull("released_at"), order: [.down("released_at")])

    /// The released activations of a license with an ``Activation/countsUntil``, latest release first.
    ///
    /// Some of these times may have passed.
    public static let counted = table.set(
        "counted", "license_id", where: .isNotNull("counts_until"), .isNotNull("released_at"),
        order: [.down("released_at")])

    private static func identity(_ code: String?) throws(StoreError) -> DeviceIdentity {
        guard let identity = DeviceIdentity(code: code) else { throw .unreadable("a device's identity") }
        return identity
    }
}
