import TenureCore
public import TenureFormats

extension PackageManifest {
    /// Parses a `manifest.json`; unknown fields are ignored.
    ///
    /// Throws ``FormatError``: `.malformed` if the file isn't a JSON object or is too large. `.badMember`, with the
    /// member's JSON pointer, in each of these cases:
    ///
    /// - a member is missing or has the wrong type;
    /// - no device could use the package, because it has no target, a target in two variants, no system version, no iOS
    ///   platform, or a size of 0;
    /// - two assets have the same id, or a path doesn't match its asset;
    /// - a delta starts at this very version, or leads to a variant that isn't listed;
    /// - the digests don't fit the asset's chunks;
    /// - a list exceeds its limit.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteLimit else {
            throw FormatError(.malformed, "a package manifest must be at most \(Self.byteLimit >> 20) MiB")
        }
        let root = try FlatObject(document: bytes, named: "package manifest")
        item = try ManifestMember("appleItemId").id(of: root) { AppleItemID(text: $0) }
        let version = try ManifestMember("appleVersionId").id(of: root) { AppleVersionID(text: $0) }
        self.version = version
        bundleID = try ManifestMember("bundleId").text(of: root)
        shortVersion = try ManifestMember("shortVersionString").text(of: root)
        bundleVersion = try ManifestMember("bundleVersion").text(of: root)
        revision = try root.optional(
            "/distributionPackageRevision", root.integer("distributionPackageRevision"))
        platforms = try root.require("/platforms", root.strings("platforms"))
        guard platforms.contains("ios") else { throw ManifestMember("platforms").fault(.platform, "must list \"ios\"") }
        let determinants = try root.optional("/appInstallDeterminants", root.strings("appInstallDeterminants")) ?? []
        isMarketplace = determinants.contains("marketplace")
        minimumSystemVersions = try Self.systems(root)
        var names: Set<AssetID> = []
        let variants = try Self.variants(root, names: &names)
        self.variants = variants
        deltas = try Self.deltas(root, to: version, of: variants, names: &names)
    }

    private static func systems(_ root: FlatObject) throws(FormatError) -> [String: String] {
        let member = ManifestMember("minimumSystemVersions")
        let systems = try member.object(of: root)
        var versions = ["ios": try ManifestMember("ios", of: member.pointer).system(of: systems)]
        for name in systems.names where name != "ios" {
            versions[name] = try ManifestMember(name, of: member.pointer).text(of: systems)
        }
        return versions
    }

    private static func variants(
        _ root: FlatObject, names: inout Set<AssetID>
    ) throws(FormatError) -> [Variant] {
        let member = ManifestMember("variants")
        let nodes = try root.require(member.pointer, root.objects(member.name))
        guard (1...variantLimit).contains(nodes.count) else {
            throw member.fault(.count, "must list 1 to \(variantLimit) variants, not \(nodes.count)")
        }
        var variants: [Variant] = []
        var usedTargets: Set<Target> = []
        for (index, node) in nodes.enumerated() {
            let here = "\(member.pointer)/\(index)"
            let (id, path) = try asset(node, at: here, in: "variant", names: &names)
            let member = ManifestMember("variantDetails", of: here)
            let details = try member.object(of: node)
            let size = try ManifestMember("compressedSize", of: member.pointer).size(of: details)
            let targets = try targets(node, at: here)
            for (index, target) in targets.enumerated() where !usedTargets.insert(target).inserted {
                throw ManifestMember("installTargets", of: here, index).fault(
                    .targetTaken, "is \(target.device) with \(target.os), which is listed as a target already")
            }
            variants.append(
                Variant(
                    id: id, path: path, targets: targets, compressedSize: size,
                    uncompressedSize: try ManifestMember("uncompressedSize", of: member.pointer).size(of: details),
                    chunks: try chunks(details, at: member.pointer, of: size)))
        }
        return variants
    }

    private static func deltas(
        _ root: FlatObject, to version: AppleVersionID, of variants: [Variant], names: inout Set<AssetID>
    ) throws(FormatError) -> [Delta] {
        let list = ManifestMember("deltas")
        let nodes = try root.optional(list.pointer, root.objects(list.name)) ?? []
        guard nodes.count <= deltaLimit else {
            throw list.fault(.count, "must list at most \(deltaLimit) deltas, not \(nodes.count)")
        }
        let results = Dictionary(variants.map { ($0.path, $0.id) }) { first, _ in first }
        var deltas: [Delta] = []
        for (index, node) in nodes.enumerated() {
            let here = "\(list.pointer)/\(index)"
            let (id, path) = try asset(node, at: here, in: "delta", names: &names)
            let sourceMember = ManifestMember("sourceVariant", of: here)
            let source = try sourceMember.object(of: node)
            let from = ManifestMember("appleVersionId", of: sourceMember.pointer)
            let sourceVersion = try from.id(of: source) { AppleVersionID(text: $0) }
            if sourceVersion == version {
                throw from.fault(.deltaLoop, "must not be the version that the delta updates to")
            }
            let target = ManifestMember("targetVariantAssetPath", of: here)
            guard let result = results[try target.text(of: node)] else {
                throw target.fault(.deltaTarget, "must be the path of a variant")
            }
            let member = ManifestMember("deltaDetails", of: here)
            let details = try member.object(of: node)
            let size = try ManifestMember("compressedSize", of: member.pointer).size(of: details)
            deltas.append(
                Delta(
                    id: id, path: path, sourceVersion: sourceVersion,
                    targets: try targets(source, at: sourceMember.pointer), result: result, compressedSize: size,
                    chunks: try chunks(details, at: member.pointer, of: size)))
        }
        return deltas
    }

    private static func asset(
        _ node: FlatObject, at here: String, in folder: String, names: inout Set<AssetID>
    ) throws(FormatError) -> (AssetID, String) {
        let member = ManifestMember("publicId", of: here)
        let id = try member.id(of: node) { AssetID($0) }
        guard id.isUUID else { throw member.fault(.uuid, "must be a UUID") }
        guard names.insert(id).inserted else { throw member.fault(.assetTaken, "is used by another asset already") }
        return (id, try ManifestMember("assetPath", of: here).path(of: node, in: folder, named: id))
    }

    private static func targets(_ node: FlatObject, at here: String) throws(FormatError) -> [Target] {
        let member = ManifestMember("installTargets", of: here)
        let nodes = try node.require(member.pointer, node.objects(member.name))
        guard (1...targetLimit).contains(nodes.count) else {
            throw member.fault(.count, "must list 1 to \(targetLimit) devices, not \(nodes.count)")
        }
        var targets: [Target] = []
        for (index, node) in nodes.enumerated() {
            let there = "\(member.pointer)/\(index)"
            targets.append(
                Target(
                    device: try ManifestMember("device", of: there).text(of: node),
                    os: try ManifestMember("os", of: there).system(of: node)))
        }
        return targets
    }
}
