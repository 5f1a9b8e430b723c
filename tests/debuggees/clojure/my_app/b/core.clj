;; SPDX-License-Identifier: Apache-2.0
(ns my-app.b.core
  (:require [my-app.a.core :as a]))

(defn -main [& _]
  (println "b" (a/size-of [1 2])))
