import TenureCore

extension PackageManifest {
    /// Reads a `manifest.json`; members that are not known are passed over.
    ///
    /// Throws ``FormatError``: `.malformed` for what is no JSON object or too large, `.badMember` with the member's place
    /// for an id, version, size or path that is missing or of another shape, for two assets of one name, for a delta
    /// whose result is no variant, and for more of anything than the limits allow.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Self.byteLimit else {
            throw FormatError(.malformed, "a package manifest has at most \(Self.byteLimit >> 20) MiB")
        }
        let root = try FlatObject(document: bytes, named: "package manifest")
        item = try ManifestMember("appleItemId").id(of: root) { AppleItemID(text: $0) }
        version = try ManifestMember("appleVersionId").id(of: root) { AppleVersionID(text: $0) }
        bundleID = try ManifestMember("bundleId").text(of: root)
        shortVersion = try ManifestMember("shortVersionString").text(of: root)
        bundleVersion = try ManifestMember("bundleVersion").text(of: root)
        revision = try root.optional("distributionPackageRevision", root.integer("distributionPackageRevision"))
        platforms = try root.optional("platforms", root.strings("platforms")) ?? []
        let determinants = try root.optional("appInstallDeterminants", root.strings("appInstallDeterminants")) ?? []
        isMarketplace = determinants.contains("marketplace")
        minimumSystemVersions = try Self.systems(root)
        var names: Set<AssetID> = []
        let variants = try Self.variants(root, names: &names)
        self.variants = variants
        deltas = try Self.deltas(root, of: variants, names: &names)
    }

    private static func systems(_ root: FlatObject) throws(FormatError) -> [String: String] {
        guard let systems = try root.optional("minimumSystemVersions", root.object("minimumSystemVersions")) else {
            return [:]
        }
        var versions: [String: String] = [:]
        for name in systems.names {
            versions[name] = try ManifestMember(name, of: "minimumSystemVersions").text(of: systems)
        }
        return versions
    }

    private static func variants(
        _ root: FlatObject, names: inout Set<AssetID>
    ) throws(FormatError) -> [Variant] {
        let nodes = try root.require("variants", root.objects("variants"))
        guard (1...variantLimit).contains(nodes.count) else {
            throw FormatError(.badMember, "\"variants\" must list 1 to \(variantLimit) variants, not \(nodes.count)")
        }
        var variants: [Variant] = []
        for (place, node) in nodes.enumerated() {
            let here = "variants/\(place)"
            let (id, path) = try asset(node, at: here, names: &names)
            let details = try ManifestMember("variantDetails", of: here).object(of: node)
            variants.append(
                Variant(
                    id: id, path: path, targets: try targets(node, at: here),
                    compressedSize: try ManifestMember("compressedSize", of: "\(here)/variantDetails").size(
                        of: details),
                    uncompressedSize: try ManifestMember("uncompressedSize", of: "\(here)/variantDetails")
                        .size(of: details)))
        }
        return variants
    }

    private static func deltas(
        _ root: FlatObject, of variants: [Variant], names: inout Set<AssetID>
    ) throws(FormatError) -> [Delta] {
        let nodes = try root.optional("deltas", root.objects("deltas")) ?? []
        guard nodes.count <= deltaLimit else {
            throw FormatError(.badMember, "\"deltas\" must list at most \(deltaLimit) deltas, not \(nodes.count)")
        }
        let results = Dictionary(variants.map { ($0.path, $0.id) }) { first, _ in first }
        var deltas: [Delta] = []
        for (place, node) in nodes.enumerated() {
            let here = "deltas/\(place)"
            let (id, path) = try asset(node, at: here, names: &names)
            let source = try ManifestMember("sourceVariant", of: here).object(of: node)
            let target = ManifestMember("targetVariantAssetPath", of: here)
            guard let result = results[try target.text(of: node)] else {
                throw target.fault("is the path of no variant")
            }
            let details = try ManifestMember("deltaDetails", of: here).object(of: node)
            deltas.append(
                Delta(
                    id: id, path: path,
                    sourceVersion: try ManifestMember("appleVersionId", of: "\(here)/sourceVariant").id(of: source) {
                        AppleVersionID(text: $0)
                    },
                    targets: try targets(source, at: "\(here)/sourceVariant"), result: result,
                    compressedSize: try ManifestMember("compressedSize", of: "\(here)/deltaDetails").size(of: details)))
        }
        return deltas
    }

    private static func asset(
        _ node: FlatObject, at here: String, names: inout Set<AssetID>
    ) throws(FormatError) -> (AssetID, String) {
        let member = ManifestMember("publicId", of: here)
        let id = try member.id(of: node) { AssetID($0) }
        guard names.insert(id).inserted else { throw member.fault("is another asset's already") }
        return (id, try ManifestMember("assetPath", of: here).path(of: node))
    }

    private static func targets(_ node: FlatObject, at here: String) throws(FormatError) -> [Target] {
        let member = ManifestMember("installTargets", of: here)
        let nodes = try node.require(member.place, node.objects(member.name))
        guard nodes.count <= targetLimit else { throw member.fault("must list at most \(targetLimit) devices") }
        var targets: [Target] = []
        for (place, node) in nodes.enumerated() {
            let there = "\(member.place)/\(place)"
            targets.append(
                Target(
                    device: try ManifestMember("device", of: there).text(of: node),
                    os: try ManifestMember("os", of: there).text(of: node)))
        }
        return targets
    }
}
