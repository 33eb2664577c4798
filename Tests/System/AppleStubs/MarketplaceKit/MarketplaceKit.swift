// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The documented part of MarketplaceKit that the pages about marketplace apps use. On Apple systems, Foundation contains
// the types of FoundationNetworking.
@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public typealias AppleItemID = UInt64
public typealias AppleVersionID = UInt64

public protocol MarketplaceAppExtension {
    func additionalHeaders(for request: URLRequest, account: String) async -> [String: String]
    func requestFailed(response: HTTPURLResponse) async -> Bool
    func availableAppVersions(forAppleItemIDs ids: [AppleItemID]) async -> [AppVersion]
    func automaticUpdates(for versions: [AppVersion]) async throws -> [AutomaticUpdate]
}

public struct AppVersion: Sendable, Hashable {
    public let appleItemID: AppleItemID
    public let appleVersionID: UInt64

    public init(appleItemID: AppleItemID, appleVersionID: UInt64) {
        self.appleItemID = appleItemID
        self.appleVersionID = appleVersionID
    }
}

public struct AutomaticUpdate: Sendable {
    public let appleItemID: AppleItemID
    public let alternativeDistributionPackage: URL
    public let account: String
    public let installVerificationToken: String
    public var appShareURL: URL?

    public init(
        appleItemID: AppleItemID, alternativeDistributionPackage: URL, account: String, installVerificationToken: String
    ) {
        self.appleItemID = appleItemID
        self.alternativeDistributionPackage = alternativeDistributionPackage
        self.account = account
        self.installVerificationToken = installVerificationToken
    }
}

@MainActor public final class AppLibrary {
    nonisolated public static let current = AppLibrary()

    public struct App: Identifiable, Hashable {
        public let id: AppleItemID
        public var installedMetadata: Metadata?

        public struct Metadata: Hashable {
            public let account: String?
            public let appleVersionID: AppleVersionID
            public let shortVersion: String
            public let version: String
        }
    }

    nonisolated init() {}

    public var installedApps: Set<App> { [] }
    public var catalogRegion: String? { get async { nil } }
    public func requestLicenseRenewal(appleItemIDs: [UInt64]) async throws {}
    public func didAuthenticate(account: String) async {}
}

/// A stub of LocalAuthentication's class.
public final class LAContext {}

public enum InstallConfirmationResult {
    case cancel
    case confirmed(installVerificationToken: String, authenticationContext: LAContext?)
}

public struct InstallMetadata {
    public let appleItemID: AppleItemID
    public let alternativeDistributionPackage: URL
    public let account: String
    public let isUpdate: Bool
    public var appShareURL: URL?

    public init(account: String, appleItemID: AppleItemID, alternativeDistributionPackage: URL, isUpdate: Bool) {
        self.account = account
        self.appleItemID = appleItemID
        self.alternativeDistributionPackage = alternativeDistributionPackage
        self.isUpdate = isUpdate
    }
}

public struct InstallConfiguration {
    public let install: InstallMetadata
    public let confirmInstall: () async -> InstallConfirmationResult

    public init(install: InstallMetadata, confirmInstall: @escaping () async -> InstallConfirmationResult) {
        self.install = install
        self.confirmInstall = confirmInstall
    }
}

@MainActor public final class ActionButton {
    public enum Action {
        case install(InstallConfiguration)
    }

    public let action: Action

    public init(action: Action) { self.action = action }
}
