#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Looks at the license when the view appears, and keeps it fresh while it is there: when the app comes to the
        /// front, when the network is back, and an hour before a lease ends.
        ///
        /// Put it on the app's outermost view, once.
        ///
        /// - Parameter background: The identifier of the scene's `refreshesLicense(_:as:)`, on iOS: when the app goes to
        ///   the background the system is asked to wake it in time.
        public func keepsLicenseFresh(_ manager: LicenseManager, background: String? = nil) -> some View {
            modifier(FreshLicense(manager: manager, background: background))
        }
    }

    private struct FreshLicense: ViewModifier {
        let manager: LicenseManager
        let background: String?
        @Environment(\.scenePhase) private var phase

        func body(content: Content) -> some View {
            content
                .task {
                    await manager.checkOnLaunch()
                    await manager.run()
                }
                .task { await manager.refreshWhenOnline() }
                .onChange(of: phase) { phase in
                    if phase == .active { Task { await manager.refreshIfNeeded() } }
                    #if canImport(BackgroundTasks) && canImport(UIKit)
                        if phase == .background, let background { manager.scheduleBackgroundRefresh(background) }
                    #endif
                }
        }
    }
#endif

#if canImport(Network)
    import Dispatch
    import Network

    extension LicenseManager {
        /// Asks the server each time the network is back, if it is time to, until the task is cancelled.
        public func refreshWhenOnline() async {
            var wasOnline = true
            for await isOnline in Self.networkChanges() {
                if isOnline, !wasOnline { await refreshIfNeeded() }
                wasOnline = isOnline
            }
        }

        private static func networkChanges() -> AsyncStream<Bool> {
            AsyncStream { stream in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in stream.yield(path.status == .satisfied) }
                stream.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "tenure.network"))
            }
        }
    }
#endif

#if canImport(BackgroundTasks) && canImport(UIKit)
    import BackgroundTasks
    import Foundation
    public import SwiftUI

    extension LicenseManager {
        /// Asks the system to wake the app when the lease is to be renewed: an hour before it ends, or when the state
        /// changes by itself. Call it when the app goes to the background.
        ///
        /// The identifier must be in `BGTaskSchedulerPermittedIdentifiers` of the app's `Info.plist`. Where background
        /// refresh is switched off nothing happens: the license is renewed when the app is used.
        public func scheduleBackgroundRefresh(_ identifier: String) {
            guard let wakes else { return BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier) }
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = wakes
            try? BGTaskScheduler.shared.submit(request)
        }
    }

    extension Scene {
        /// Renews the license when the system wakes the app for it, and asks to be woken again; without a manager nothing.
        ///
        /// ```swift
        /// WindowGroup { Notes() }
        ///     .refreshesLicense(manager, as: "com.acme.notes.license")
        /// ```
        public func refreshesLicense(_ manager: LicenseManager?, as identifier: String) -> some Scene {
            backgroundTask(.appRefresh(identifier)) {
                // The program may be put to rest as soon as this returns, so the answer is waited for.
                await manager?.refreshIfNeeded()
                await manager?.scheduleBackgroundRefresh(identifier)
            }
        }
    }
#endif
