import TenureCore
import TenureMarketplace

/// A variant of a package, and the system version that it was chosen for.
struct VariantChoice: Sendable, Hashable {
    /// The variant, as listed in the manifest.
    let variant: PackageManifest.Variant
    /// The lowest system version that the variant is for, such as `17.4`.
    let bucket: String
}

extension PackageManifest {
    /// Chooses the variant for a device: the variant for the highest system version that doesn't exceed the device's
    /// version.
    ///
    /// Follows Apple's documentation of alternative distribution packages.
    ///
    /// - Throws: `.noVariant` if the package needs a newer system or has no variant for the model; the message lists
    ///   the models that it does have.
    func choose(model: String, systemVersion: String) throws(DeviceError) -> VariantChoice {
        let system = SystemVersion(systemVersion)
        if let minimum = minimumSystemVersions["ios"], system < SystemVersion(minimum) {
            throw DeviceError(
                .noVariant,
                "\(bundleID) \(shortVersion) requires iOS \(minimum), but this device has \(systemVersion).",
                as: .minimumPlatformVersionNotSatisfied)
        }
        let targets = variants.flatMap { variant in
            variant.targets.filter { $0.device == model }.map { VariantChoice(variant: variant, bucket: $0.os) }
        }
        guard !targets.isEmpty else {
            let suffixed = Set(variants.flatMap { $0.targets.map(\.device) }.filter { $0.hasPrefix("\(model)-") })
            guard suffixed.isEmpty else {
                throw DeviceError(
                    .noVariant,
                    "\(bundleID) \(shortVersion) has variants for \(suffixed.sorted().joined(separator: " and ")), and "
                        + "none for plain \(model). Create the device with one of these as its --model.")
            }
            let devices = Set(variants.flatMap { $0.targets.map(\.device) }).sorted().prefix(8).joined(separator: ", ")
            throw DeviceError(
                .noVariant, "\(bundleID) \(shortVersion) has no variant for \(model), only for \(devices).")
        }
        let chosen = targets.filter { SystemVersion($0.bucket) <= system }
            .max { SystemVersion($0.bucket) < SystemVersion($1.bucket) }
        guard let chosen else {
            throw DeviceError(
                .noVariant,
                "\(bundleID) \(shortVersion) has no variant for \(model) with iOS \(systemVersion) or older.")
        }
        return chosen
    }
}

/// A version such as `17.4.1`, compared part by part; missing parts count as 0.
struct SystemVersion: Comparable {
    private let parts: [Int]

    init(_ text: String) { parts = text.split(atByte: ".").map { Int($0) ?? 0 } }

    static func == (one: SystemVersion, other: SystemVersion) -> Bool { !(one < other) && !(other < one) }

    static func < (one: SystemVersion, other: SystemVersion) -> Bool {
        for index in 0..<max(one.parts.count, other.parts.count) {
            let (left, right) = (one.part(index), other.part(index))
            if left != right { return left < right }
        }
        return false
    }

    private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }
}

extension PackageManifest {
    /// Returns the delta from the installed version to a chosen variant; `nil` if the whole variant must be downloaded.
    ///
    /// The variant is chosen first, and only deltas to that variant are considered (Apple's documentation).
    func delta(
        from installed: AppleVersionID, to choice: VariantChoice, model: String, systemVersion: String
    ) -> Delta? {
        let system = SystemVersion(systemVersion)
        return
            deltas
            .filter { delta in
                delta.sourceVersion == installed && delta.result == choice.variant.id
                    && delta.targets.contains { $0.device == model && SystemVersion($0.os) <= system }
            }
            .min { $0.compressedSize < $1.compressedSize }
    }
}
