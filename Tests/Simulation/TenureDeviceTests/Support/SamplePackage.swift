import Foundation
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureHTTPClient

@testable import TenureDevice

/// A package of one version of an app on a fake marketplace, optionally with a delta from the previous version.
struct SamplePackage {
    static let place = "https://127.0.0.1/adp/game"
    static let variant = "00000010-0000-4000-8000-000000000010"
    static let delta = "00000020-0000-4000-8000-000000000020"

    var version: UInt64 = 1
    var size = 2500
    /// The size that the manifest declares; `nil` for the file's real size.
    var promised: Int?
    var hasDigests = true
    var hasDelta = false
    var device = "iPhone16,1"
    var platforms = #"["ios"]"#
    var variantPath: String?

    /// The variant's bytes, which differ between versions.
    var bytes: [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(version)) } }

    var deltaBytes: [UInt8] { Array(bytes.prefix(900)) }

    private func details(_ bytes: [UInt8]) -> String {
        let size = promised ?? bytes.count
        let count = (size - 1) / 1000 + 1
        let digests = (0..<(hasDigests && count < 100 ? count : 0)).map { chunk in
            let part = bytes.dropFirst(chunk * 1000).prefix(1000)
            return "\"" + SHA256.hash(Array(part)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
        }
        return """
            {"compressedSize":\(size),"uncompressedSize":\(size),"hashes":[{"algorithm":"sha256","chunkSize":1000,
             "encryptedChunkDigests":[\(digests.joined(separator: ","))]}]}
            """
    }

    var manifest: String {
        let target = #"{"device":"\#(device)","os":"17.4"}"#
        let delta = """
            {"publicId":"\(Self.delta)","assetPath":"delta/\(Self.delta).ipa",
             "sourceVariant":{"installTargets":[\(target)],"appleVersionId":"\(version - 1)","version":"0"},
             "targetVariantAssetPath":"variant/\(Self.variant).ipa","deltaDetails":\(details(deltaBytes))}
            """
        return """
            {"appleItemId":"6483539426","bundleId":"com.example.game","shortVersionString":"1.\(version)",
             "bundleVersion":"\(version)","appleVersionId":"\(version)","platforms":\(platforms),
             "minimumSystemVersions":{"ios":"17.4"},"variants":[{"publicId":"\(Self.variant)",
             "assetPath":"\(variantPath ?? "variant/\(Self.variant).ipa")","installTargets":[\(target)],
             "variantDetails":\(details(bytes))}],"deltas":[\(hasDelta ? delta : "")]}
            """
    }

    static let asset = "/adp/game/variant/\(variant).ipa"

    /// Serves the package from a marketplace.
    func serve(on server: FakeMarketplace, _ change: (inout FakeMarketplace.File) -> Void = { _ in }) {
        var file = FakeMarketplace.File(bytes: bytes, tag: "\"v\(version)\"")
        change(&file)
        server.change { rules in
            rules.files["/adp/game/manifest.json"] = .init(bytes: Array(manifest.utf8))
            rules.files["/adp/game/signature"] = .init(bytes: [1, 2, 3])
            rules.files[Self.asset] = file
            rules.files["/adp/game/delta/\(Self.delta).ipa"] = .init(bytes: deltaBytes)
        }
    }
}

/// A simulated device in a temporary folder, with a fake marketplace.
final class DeviceAtHome {
    let server = FakeMarketplace()
    let folder = DeviceFolder(FileManager.default.temporaryDirectory.path + "/device-\(UUID().uuidString)")
    var session: DeviceSession

    init() throws {
        let device = newDevice()
        try folder.create(device)
        session = DeviceSession(
            device, at: ServedMarketplace(device.server, transport: server, certificates: [:]), token: nil)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    @discardableResult
    func install(
        _ request: InstallOptions = InstallOptions(), meter: InstallMeter = InstallMeter()
    ) async throws -> FinishedInstall {
        let done = try await session.install(
            .web(SamplePackage.place), request, into: folder.files, at: morning, meter: meter)
        try folder.write(session.device)
        return done
    }

    /// Installs the package, and returns the error if the install fails.
    func end(_ request: InstallOptions = InstallOptions()) async -> DeviceError? {
        do {
            try await install(request)
            return nil
        } catch {
            return error as? DeviceError
        }
    }

    /// Returns the file of an installed version.
    func file(_ version: UInt64, _ asset: String = SamplePackage.variant) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(folder.path)/apps/\(game)/\(version)/\(asset).ipa").map { Array($0) }
    }

    /// The `Range` headers of the requests for files; "all" for a request without one.
    var ranges: [String] {
        server.requests.filter { $0.url.hasSuffix(".ipa") }.map { $0.headers["Range"] ?? "all" }
    }
}
