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
                await manager?.checkOnLaunch()
                await manager?.scheduleBackgroundRefresh(identifier)
            }
        }
    }
#endif
