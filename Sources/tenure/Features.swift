import TenureCommandLine
import TenureContentServer
import TenureDevice
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePackages
import TenurePlayer
import TenureSellingServer
import TenureServerKit
import TenureStore

extension FeatureSet {
    /// The features of Tenure, with the commands of their simulated clients.
    static let tenure = FeatureSet([
        .licensing,
        .marketplace.adding(
            FeatureCommand(DeviceCommands.group, in: .tryOut),
            FeatureCommand(LintCommand.command(checkingPackagesWith: checkPackage), in: .tryOut),
            FeatureCommand(ConformanceCommand.command(of: Version.current), in: .tryOut)),
        .accounts, .packages,
        .content.adding(FeatureCommand(PlayerCommands.group, in: .tryOut)),
        .selling,
    ])
}

extension StoreSchema {
    /// The schema of the whole server.
    static let tenure = FeatureSet.tenure.schema
}

/// Compares a package's files with its manifest, for `tenure lint`.
@Sendable private func checkPackage(
    in folder: String, report: (_ bytes: Int64, _ total: Int64) -> Void
) throws -> LintCommand.CheckedPackage? {
    try AssembledPackage.faults(in: folder, report: report).map { manifest, faults in
        LintCommand.CheckedPackage(
            manifest: manifest, faults: faults.map { ($0.kind.rawValue, $0.path, "\($0)") })
    }
}
