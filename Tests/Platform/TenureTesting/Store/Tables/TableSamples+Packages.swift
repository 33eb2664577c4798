import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenurePackages
import TenureStore

extension TableSample {
    private static let game: Int64 = 6_483_539_426
    private static let package = "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6"

    private static func territory(_ code: String) -> Territory {
        guard let territory = Territory(alpha3: code) else { preconditionFailure("\(code) is no territory") }
        return territory
    }

    private static func asset(_ name: String) -> AssetID {
        guard let asset = AssetID(name) else { preconditionFailure("\(name) names no asset") }
        return asset
    }

    /// Samples of tables with App Store Connect's notifications and the packages fetched from it.
    static let appStoreConnect: [TableSample] = [
        TableSample(
            AvailabilityRow(
                tenant: Sample.acme, item: Sample.game, package: package,
                availability: Availability(
                    isClosedElsewhere: true, closed: [territory("IRL"), territory("MLT")], open: [territory("JPN")],
                    toldAt: 1_790_000_000_123_456, closedLast: .everywhere, closedAhead: 1_790_000_900_000_001),
                firstHeardAt: Timestamp(seconds: 1_790_000_001)),
            [
                "tenant": .text("acme"), "item": .integer(game), "package": .text(package),
                "is_closed_elsewhere": .flag(true), "closed": .text("IRL MLT"), "open": .text("JPN"),
                "told_at": .integer(1_790_000_000_123_456), "closed_last": .text("*"),
                "closed_ahead": .integer(1_790_000_900_000_001), "first_heard": .integer(1_790_000_001),
            ],
            bare: AvailabilityRow(
                tenant: Sample.acme, item: Sample.game, package: "", availability: Availability()),
            AvailabilityRow(
                tenant: Sample.acme, item: Sample.chess, package: "",
                availability: Availability(toldAt: 7, closedLast: .within([territory("IRL"), territory("FRA")])))),
        TableSample(
            MarketplaceSecretRow(tenant: Sample.acme, kind: .notifications, sealed: [1, 2, 3]),
            ["tenant": .text("acme"), "kind": .text("notifications"), "sealed": .blob([1, 2, 3])],
            bare: MarketplaceSecretRow(tenant: Sample.acme, kind: .connection, sealed: [4])),
        TableSample(
            Notice(
                tenant: Sample.acme, id: "33e75449-3196-4bf7-9e69-ca12c3e4f56f", type: "AppUnavailable",
                item: Sample.game, happenedAt: 1_790_000_000_123_456, receivedAt: Timestamp(seconds: 1_790_000_009),
                outcome: .unmatched, detail: "nothing is called so", body: [123, 125],
                countedAt: 1_790_000_008_999_999),
            [
                "tenant": .text("acme"), "id": .text("33e75449-3196-4bf7-9e69-ca12c3e4f56f"),
                "type": .text("AppUnavailable"), "item": .integer(game), "happened_at": .integer(1_790_000_000_123_456),
                "received_at": .integer(1_790_000_009), "outcome": .text("unmatched"),
                "detail": .text("nothing is called so"), "body": .blob([123, 125]),
                "counted_at": .integer(1_790_000_008_999_999),
            ],
            bare: Notice(
                tenant: Sample.acme, id: "ping", type: "webhookPingCreated", item: nil, happenedAt: nil,
                receivedAt: Timestamp(seconds: 5), outcome: .ignored, detail: nil, body: [])),
        TableSample(
            PackageImport(
                tenant: Sample.acme, id: "0b7d6a0e-1", package: package, item: Sample.game,
                version: Sample.version(2), source: "0b7d6a0e-2", state: .waiting, cause: "unreachable", failures: 3,
                announcedAt: Timestamp(seconds: 11), changedAt: Timestamp(seconds: 12), nextAt: Timestamp(seconds: 13),
                size: 14, job: "job_1"),
            [
                "tenant": .text("acme"), "id": .text("0b7d6a0e-1"), "package": .text(package),
                "item": .integer(game), "version": .integer(2), "source": .text("0b7d6a0e-2"),
                "state": .text("waiting"), "cause": .text("unreachable"), "failures": .integer(3),
                "announced_at": .integer(11), "changed_at": .integer(12), "next_at": .integer(13),
                "size": .integer(14), "job": .text("job_1"),
            ],
            bare: PackageImport(
                tenant: Sample.acme, id: "bare", package: nil, item: nil, version: nil, source: "bare",
                state: .announced, cause: nil, failures: 0, announcedAt: Timestamp(seconds: 1),
                changedAt: Timestamp(seconds: 1), nextAt: nil, size: 0, job: "job_2")),
        TableSample(
            ImportAsset(
                tenant: Sample.acme, importID: "0b7d6a0e-1", asset: asset("a1"), kind: .variant, size: 20,
                fetched: 10, etag: "\"v1\"", keyBlob: [7, 8], isDone: true, failures: 1, job: "job_3"),
            [
                "tenant": .text("acme"), "import": .text("0b7d6a0e-1"), "asset": .text("a1"),
                "kind": .text("variant"), "size": .integer(20), "fetched": .integer(10), "etag": .text("\"v1\""),
                "key_blob": .blob([7, 8]), "is_done": .flag(true), "failures": .integer(1), "job": .text("job_3"),
            ],
            bare: ImportAsset(
                tenant: Sample.acme, importID: "0b7d6a0e-1", asset: asset("a2"), kind: .delta, size: 1, fetched: 0,
                etag: nil, keyBlob: nil, isDone: false, failures: 0, job: "job_4")),
    ]
}
